import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { promisify } from "node:util";

const TIME_MS = 300_000;

const run = promisify(execFile);

/** A cell that is given another text. */
export interface Edit {
  /** From 1, as sheets count. */
  readonly row: number;
  readonly column: number;
  /** One line of ASCII. */
  readonly text: string;
}

/** A file as LibreOffice opens or saves it: by which of its filters, and with which options. */
export interface OfficeFile {
  readonly path: string;
  readonly filter?: string;
  readonly options?: string;
}

/** Opens a file, gives cells of its first sheet other texts, and saves it as another file. */
const EDIT = `Sub Edit(source As String, sourceFilter As String, sourceOptions As String, target As String, targetFilter As String, targetOptions As String, edits As String)
  Dim opened(2) As New com.sun.star.beans.PropertyValue
  opened(0).Name = "Hidden"
  opened(0).Value = True
  If sourceFilter &lt;&gt; "" Then
    opened(1).Name = "FilterName"
    opened(1).Value = sourceFilter
    opened(2).Name = "FilterOptions"
    opened(2).Value = sourceOptions
  End If
  document = StarDesktop.loadComponentFromURL(ConvertToURL(source), "_blank", 0, opened())
  sheet = document.Sheets.getByIndex(0)
  file = FreeFile
  Open edits For Input As #file
  Do While Not Eof(file)
    Line Input #file, text
    parts = Split(text, Chr(9))
    sheet.getCellByPosition(CLng(parts(1)) - 1, CLng(parts(0)) - 1).setString(parts(2))
  Loop
  Close #file
  Dim saved(1) As New com.sun.star.beans.PropertyValue
  saved(0).Name = "FilterName"
  saved(0).Value = targetFilter
  saved(1).Name = "FilterOptions"
  saved(1).Value = targetOptions
  document.storeToURL(ConvertToURL(target), saved())
  document.close(True)
  StarDesktop.terminate()
End Sub`;

const XML = '<?xml version="1.0" encoding="UTF-8"?>';

/** LibreOffice (`soffice`; in Debian the package `libreoffice-calc`), with a profile of its own in a folder. */
export class Office {
  private hasMacro = false;

  constructor(private readonly folder: string) {}

  /** Converts a file into a folder. @returns the path of what was made; `null` where LibreOffice gives nothing. */
  async convert({ path, filter, options }: OfficeFile, format: string, into: string): Promise<string | null> {
    const by = filter === undefined ? [] : [`--infilter=${[filter, options].filter(Boolean).join(":")}`];
    await this.start([...by, "--convert-to", format, "--outdir", into, path]);
    const made = join(into, `${basename(path, extname(path))}.${format}`);
    return existsSync(made) ? made : null;
  }

  /** Opens a file, edits cells of its first sheet, and saves it as another file. */
  async edit(source: OfficeFile, target: OfficeFile, edits: readonly Edit[]): Promise<void> {
    await this.writeMacro();
    const list = join(this.folder, "edits.txt");
    await writeFile(list, edits.map(({ row, column, text }) => `${row}\t${column}\t${text}`).join("\n"));
    const files = [source, target].flatMap(({ path, filter = "", options = "" }) => [path, filter, options]);
    const values = [...files, list].map((value) => `"${value}"`).join(",");
    await this.start([`macro:///Standard.Prove.Edit(${values})`]);
    if (!existsSync(target.path)) throw new Error(`LibreOffice has not saved ${target.path}`);
  }

  private async start(given: readonly string[]): Promise<void> {
    const profile = `-env:UserInstallation=file://${this.folder}/profile`;
    await run("soffice", [profile, "--headless", ...given], { timeout: TIME_MS }).catch(
      (error: { code?: unknown }) => {
        if (error.code === "ENOENT") throw new Error("LibreOffice is not installed: there is no soffice");
      },
    );
  }

  /** A macro of the profile itself is trusted. The first start makes the profile, and writes its lists of macros. */
  private async writeMacro(): Promise<void> {
    if (this.hasMacro) return;
    await this.start(["--terminate_after_init"]);
    const library = join(this.folder, "profile/user/basic/Standard");
    const names =
      'xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false"';
    await writeFile(
      join(library, "script.xlb"),
      `${XML}<library:library ${names}><library:element library:name="Prove"/></library:library>`,
    );
    const module =
      'xmlns:script="http://openoffice.org/2000/script" script:name="Prove" script:language="StarBasic"';
    await writeFile(join(library, "Prove.xba"), `${XML}<script:module ${module}>${EDIT}</script:module>`);
    this.hasMacro = true;
  }
}
