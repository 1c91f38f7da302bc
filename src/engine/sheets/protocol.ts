import type { Source } from "./open-sheet.js";

/** What a process is started for. */
export type SheetOrder =
  | { readonly kind: "read"; readonly source: Source }
  | { readonly kind: "annotate"; readonly source: Source; readonly to: string };

export interface Note {
  readonly row: number;
  readonly note: string;
}

/** What a process sends. */
export type Report =
  /** Rows, as JSON: one long text is sent faster than many cells. */
  | { readonly kind: "rows"; readonly rows: string; readonly read: number }
  /** It waits for notes. */
  | { readonly kind: "wanted" }
  | { readonly kind: "done" }
  | {
      readonly kind: "failed";
      readonly message: string;
      /** Says whether the file is to blame. */
      readonly isSheet: boolean;
      /** What a library said of it. */
      readonly detail?: string;
    };

/** A report as it is sent, with the processor time that the process has used so far. */
export type SentReport = Report & { readonly usedMs: number };

/** What a process receives. */
export type Answer =
  /** Rows that were posted have been received. */
  | { readonly kind: "received" }
  | { readonly kind: "notes"; readonly notes: readonly Note[]; readonly isLast: boolean };
