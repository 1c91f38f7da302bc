const KEY = /^[0-9a-f]{32}\.(?:jpg|png)$/u;
const NAME_IN_URL = /\/(?<random>[0-9a-f]{32})(?:-medium|-small)?(?<extension>\.(?:jpg|png))$/u;

/** Returns whether the text is the key of a stored picture, and not the URL of one that is kept elsewhere. */
export function isPictureKey(text: string): boolean {
  return KEY.test(text);
}

/** The key of the stored picture that a URL leads to, in any size and behind any address; `null` for another URL. */
export function pictureKeyIn(url: string): string | null {
  const found = NAME_IN_URL.exec(url)?.groups;
  return found === undefined ? null : `${found["random"] ?? ""}${found["extension"] ?? ""}`;
}
