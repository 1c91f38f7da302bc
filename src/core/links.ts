/** Links to what the service answers, which are good until a moment. */
export interface Links {
  /**
   * Returns the URL of a path of REST, such as `/companies/1/clients/7/data`, with its end and signature. Its end is a full hour, a
   * day later at most.
   */
  urlOf(path: string, at: Date): string;
  /** Returns whether the service has signed this path with this end, which has not come. */
  isGood(path: string, ending: LinkEnding, at: Date): boolean;
}

/** What stands behind the path of a link. */
export interface LinkEnding {
  /** The end, in seconds since 1970-01-01 (UTC). */
  readonly expires: string;
  readonly signature: string;
}
