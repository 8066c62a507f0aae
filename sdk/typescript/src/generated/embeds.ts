// `embeds`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

/** Options of `getEmbed`. */
export interface GetEmbedOptions extends CallOptions {
  /** Format of the response; `html` when omitted. */
  format?: Requests["EmbedFormat"];
  /** Color theme; the reader's preference when omitted. */
  theme?: Requests["EmbedTheme"];
  /** Maximum width in pixels; 550 when omitted. */
  maxWidth?: number;
}

/** Options of `getOembed`. */
export interface GetOembedOptions extends CallOptions {
  /** Maximum width in pixels. */
  maxwidth?: number;
  /** Maximum height in pixels. */
  maxheight?: number;
  /** Format of the response. */
  format?: Requests["OembedFormat"];
}

export class Embeds extends Group {
  /**
   * Get the embed of a post.
   *
   * Without `format`, or with `html`, the response is an HTML page for an iframe; with `json` it
   * contains the post and the snippet that embeds the page. Posts of free authors carry a
   * watermark.
   *
   * @param postId Id of the post: `post_…`.
   */
  get(postId: string, options: GetEmbedOptions = {}): Promise<Answers["EmbedEnvelope"]> {
    return this.svc.send("GET", "/embed/posts/{postId}", { postId }, options);
  }

  /**
   * Get the oEmbed data of a post (oEmbed 1.0).
   *
   * Accepts URLs of posts on this server: page, embed and API.
   *
   * @param url URL of the post.
   * @throws SvcError, with the common codes or `not_found`.
   */
  oembed(url: string, options: GetOembedOptions = {}): Promise<Answers["Oembed"]> {
    return this.svc.send("GET", "/oembed", { url }, options);
  }
}
