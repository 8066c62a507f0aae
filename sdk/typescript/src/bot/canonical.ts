/** A value as JSON without spaces, the members of each object sorted by the bytes of their names. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "number") return number(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(",")}}`;
}

/** A number as buyers write it: with an exponent below 0.00001, and beyond integers of 64 bits. */
function number(value: number): string {
  const isWrittenOut = Math.abs(value) >= 1e-5 && value > -(2 ** 63) && value < 2 ** 64;
  return value === 0 || isWrittenOut || !Number.isFinite(value) ? JSON.stringify(value) : value.toExponential();
}
