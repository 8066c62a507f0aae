import { SvcError } from "./error.js";

/** The type of the items of a page. */
export type Item<Page, List extends keyof Page> = Page[List] extends readonly (infer One)[] | undefined ? One : never;

/**
 * A list, read page by page as it is iterated over: `for await (const post of svc.feed.global())`.
 */
export class Pages<Page extends { nextCursor?: string }, List extends keyof Page & string>
  implements AsyncIterable<Item<Page, List>>
{
  readonly #read: (cursor?: string) => Promise<Page>;
  readonly #list: List;

  constructor(read: (cursor?: string) => Promise<Page>, list: List) {
    this.#read = read;
    this.#list = list;
  }

  /** The first page, or the one of a cursor: `nextCursor` of the page before. */
  page(cursor?: string): Promise<Page> {
    return this.#read(cursor);
  }

  /** Every page. A short page is not necessarily the last. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await this.#read(cursor);
      yield page;
      cursor = page.nextCursor;
      if (cursor !== undefined && seen.has(cursor)) {
        throw new SvcError("the server returned a cursor twice, so the list would never end", { code: "invalid_answer", outcome: "refused" });
      }
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item<Page, List>, void, undefined> {
    for await (const page of this.pages()) {
      yield* (page[this.#list] ?? []) as Item<Page, List>[];
    }
  }

  /** The items as an array, at most `max`. */
  async toArray(max = Infinity): Promise<Item<Page, List>[]> {
    const items: Item<Page, List>[] = [];
    if (max <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }
}
