import { pageHeaders } from "../../src/api/rest/page-links.js";

const BY_NUMBER = { page: 2, perPage: 2, cursor: null };
const BY_CURSOR = { page: null, perPage: 2, cursor: null };
const MORE = { page_info: { hasNextPage: true, endCursor: "abc-_1" } };

/** Returns the URL of the next page. */
const nextOf = (url: string, ...[paging, extent]: [typeof BY_CURSOR | typeof BY_NUMBER, object]): string =>
  /<(?<next>[^>]*)>; rel="next"/u.exec(String(pageHeaders(url, paging, extent)["link"]))?.groups?.["next"] ??
  "";

describe("links to pages", () => {
  it.each([
    ["/goods", "/goods?cursor=abc-_1"],
    ["/goods?cursor=", "/goods?cursor=abc-_1"],
    ["/goods?cursor", "/goods?cursor=abc-_1"],
    ["/goods?per_page=2&cursor=old&fields=id,name", "/goods?per_page=2&cursor=abc-_1&fields=id,name"],
    ["/goods?c%75rsor=old&per_page=2", "/goods?cursor=abc-_1&per_page=2"],
    ["/goods?cursor=one&cursor=two", "/goods?cursor=abc-_1"],
    ["/goods?filter[name][eq]=a+b%20c", "/goods?filter%5Bname%5D%5Beq%5D=a+b%20c&cursor=abc-_1"],
    ['/goods?name=<b>&x="', "/goods?name=%3Cb%3E&x=%22&cursor=abc-_1"],
    ["/goods?name=\u{e9}", "/goods?name=%C3%A9&cursor=abc-_1"],
    ["/goods?name=a#b", "/goods?name=a%23b&cursor=abc-_1"],
    ["/goods#per_page=2", "/goods?per_page=2&cursor=abc-_1"],
    ["/goods?name=50%", "/goods?name=50%&cursor=abc-_1"],
    ["https://shop.example/v1/goods?cursor=", "https://shop.example/v1/goods?cursor=abc-_1"],
  ])("change the cursor of %s alone", (url, next) => {
    expect(nextOf(url, BY_CURSOR, MORE)).toBe(next);
  });

  it("change the number of the page where it stands", () => {
    const { link } = pageHeaders("/goods?page=2&per_page=2", BY_NUMBER, { total_count: 7 });

    expect(link?.split(", ")).toEqual([
      '</goods?page=1&per_page=2>; rel="first"',
      '</goods?page=1&per_page=2>; rel="prev"',
      '</goods?page=3&per_page=2>; rel="next"',
      '</goods?page=4&per_page=2>; rel="last"',
    ]);
  });

  it("carry a parameter on to pages by number, in the place of another value, and not to those by cursor", () => {
    const carried = { as_of: "2026-01-01T00:00:00.125000Z" };
    const { link } = pageHeaders(
      "/goods?as_of=now&page=2",
      BY_NUMBER,
      { page_info: MORE.page_info },
      { carried },
    );

    expect(link?.split(", ")).toEqual(
      [
        [1, "first"],
        [1, "prev"],
        [3, "next"],
      ].map(([page, rel]) => `</goods?as_of=2026-01-01T00:00:00.125000Z&page=${page}>; rel="${rel}"`),
    );
    expect(pageHeaders("/goods?cursor=", BY_CURSOR, MORE, { carried })["link"]).not.toContain("as_of");
  });
});
