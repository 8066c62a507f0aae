import { Export as Methods } from "./generated/export.js";

export class Export extends Methods {
  /**
   * The ZIP file of your export, piece by piece, once it is ready: `for await (const piece of svc.export.file())`. An
   * interrupted download starts over.
   */
  async *file(options: { signal?: AbortSignal } = {}): AsyncGenerator<Uint8Array, void, undefined> {
    const { signal = new AbortController().signal } = options;
    yield* this.svc.download("/users/me/export/file", signal);
  }
}
