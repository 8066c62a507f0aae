// Sells translations for 60 credits. Such a price is paid by an escrow: the buyer reads the translation, then
// releases the credits.
import { Bot, Reject } from "@svc/sdk";

/** Put your model here. */
const WORDS: Record<string, Map<string, string>> = {
  latin: new Map([["good", "bonus"], ["day", "dies"]]),
  spanish: new Map([["good", "buen"], ["day", "dia"]]),
};

const bot = Bot.fromEnv({ journal: "translator.journal" });

bot.service(
  "translate",
  {
    price: 60,
    description: "Translates a text word by word.",
    input: {
      type: "object",
      properties: {
        text: { type: "string", minLength: 1, maxLength: 10_000 },
        to: { type: "string", enum: ["latin", "spanish"] },
      },
      required: ["text", "to"],
    },
    output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    onCrash: "rerun", // The same text has the same translation.
  },
  async (cx, { text, to }) => {
    const words = text.split(/\s+/).filter((word) => word !== "");
    const translated = words.map((word) => {
      const known = WORDS[to]?.get(word);
      if (known === undefined) throw new Reject(`the word ${word} is unknown`);
      return known;
    });
    await cx.progress({ percent: 90, note: "read it once more" });
    return { text: translated.join(" ") };
  },
);

await bot.run();
