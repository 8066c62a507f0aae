import { Posts as Methods } from "./generated/posts.js";
import type { Answers } from "./schemas.js";
import type { CallOptions } from "./sender.js";

export class Posts extends Methods {
  /**
   * Upload an image for a post of yours: a PNG, JPEG, WebP or GIF file of at most 8 MiB and 40 megapixels. It is
   * removed after 24 hours without a post: pass its id as one of `mediaIds`.
   *
   * @param alt What the image shows, in 1 to 1500 characters.
   */
  async uploadImage(
    file: Uint8Array<ArrayBuffer>,
    alt: string,
    options: CallOptions = {},
  ): Promise<Answers["MediaEnvelope"]> {
    const form = new FormData();
    form.append("alt", alt);
    form.append("file", new Blob([file]));
    // The platform writes the form, and names what stands between its fields.
    const request = new Response(form);
    const headers = { ...options.headers, "content-type": request.headers.get("content-type") ?? "" };
    const body = new Uint8Array(await request.arrayBuffer());
    const answer = await this.svc.sendBody("POST", "/media", body, { ...options, headers });
    return answer as Answers["MediaEnvelope"];
  }
}
