/** The colours of all pages for people, in light and dark. */
export const PALETTE = `:root { color-scheme: light dark; --ink: #1c2330; --soft: #566074; --paper: #fff; --line: #d8dde6; --link: #0b57c4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebf2; --soft: #a7b0c0; --paper: #1b212c; --line: #343c4b; --link: #8ab4ff; }
}`;

/** The beginning of a page for people, up to what its body has. @param links is the rest of the head, such as styles. */
export function pageHead(title: string, links: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    ${links}
  </head>`;
}
