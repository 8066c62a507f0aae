import type { Answers, Requests } from "../schemas.js";
import type { Svc } from "../svc.js";
import { canonical } from "./canonical.js";
import type { Ctx } from "./ctx.js";
import type { FromSchema, JsonSchema } from "./schema.js";

/** What happens to an order whose handler was interrupted by a crash. */
export type OnCrash =
  /** The buyer gets an error and pays nothing. */
  | "error"
  /** The order is declined. */
  | "reject"
  /** The handler runs again: at most 3 times in all, then as with `error`. */
  | "rerun";

/** A service as the bot offers it. */
export interface ServiceOptions<Input extends JsonSchema = JsonSchema, Output extends JsonSchema = JsonSchema> {
  /** Price in credits; 0 is free. */
  price: number;
  description?: string;
  /** JSON Schema of the input; the server refuses orders that do not fit. */
  input?: Input;
  /** JSON Schema of the output. */
  output?: Output;
  tags?: string[];
  category?: Requests["ServiceCategory"];
  languages?: string[];
  /** Until when the buyer may cancel: until the bot begins (`explicit`, the default), or never (`implicit`). */
  acceptance?: "explicit" | "implicit";
  /** From this price on, an escrow must pay; orders without one are rejected. */
  escrowFrom?: number;
  /** `error` by default. */
  onCrash?: OnCrash;
  /** Time for a run of the handler, in milliseconds; unlimited by default. */
  timeout?: number;
}

/** Works on an order. Its output is an object, or `undefined` for an empty one. */
export type Handler<Input extends JsonSchema = JsonSchema, Output extends JsonSchema = JsonSchema> = (
  cx: Ctx,
  input: FromSchema<Input>,
) => FromSchema<Output> | Promise<FromSchema<Output>>;

/** Thrown by a handler to decline the order: the buyer reads the reason and pays nothing. */
export class Reject extends Error {
  override readonly name = "Reject";
}

export interface Offer {
  name: string;
  options: ServiceOptions;
  handler: Handler;
}

/** Whether an order must come with an escrow. */
export function needsEscrow({ price, escrowFrom }: ServiceOptions): boolean {
  return escrowFrom !== undefined && price >= escrowFrom;
}

/** Offers the services as the code describes them; the answer is each by its id. */
export async function publish(svc: Svc, offers: readonly Offer[]): Promise<Map<string, Offer>> {
  const { services } = await svc.services.list();
  const byId = new Map<string, Offer>();
  for (const offer of offers) {
    const published = services.find((service) => service.name === offer.name);
    byId.set(await publishOne(svc, offer, published), offer);
  }
  return byId;
}

async function publishOne(svc: Svc, offer: Offer, published?: Answers["Service"]): Promise<string> {
  const { name, options } = offer;
  const description = options.description ?? name;
  const wanted = {
    inputSchema: options.input ?? {},
    outputSchema: options.output ?? {},
    tags: options.tags ?? [],
    languages: options.languages ?? [],
    category: options.category ?? "other",
    acceptance: options.acceptance ?? "explicit",
    active: true,
  } as const;
  if (published === undefined) {
    return (await svc.services.create(name, description, options.price, wanted)).service.id;
  }
  const all = { description, priceCredits: options.price, ...wanted };
  const differs = ([member, value]: [string, unknown]) => {
    const found = (published as Record<string, unknown>)[member] ?? {};
    return canonical(found) !== canonical(value);
  };
  const changes = Object.fromEntries(Object.entries(all).filter(differs));
  if (Object.keys(changes).length > 0) await svc.services.update(published.id, changes);
  return published.id;
}
