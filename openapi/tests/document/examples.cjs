// Judges every example of the OpenAPI document on stdin by its schema; prints a line per violation.
const { readFileSync } = require('node:fs');
const Ajv = require('ajv/dist/2020').default;
const addFormats = require('ajv-formats').default;

const document = JSON.parse(readFileSync(0, 'utf8'));
const ajv = new Ajv({ allErrors: true, strict: false });
addFormats(ajv);
// Formats that are our own names of patterns and of fields of forms.
for (const name of ['one-time-code', 'channel-name', 'checksum']) ajv.addFormat(name, true);
// Formats of numbers say how wide they are; there is nothing to check.
for (const width of ['uint8', 'uint16', 'uint32', 'uint64', 'uint', 'int']) {
    ajv.addFormat(width, { type: 'number', validate: Number.isInteger });
}
ajv.addSchema(document, 'document');

let judged = 0;
const resolved = (value) =>
    value.$ref ? value.$ref.slice(2).split('/').reduce((at, name) => at[unescaped(name)], document) : value;
const unescaped = (name) => name.replaceAll('~1', '/').replaceAll('~0', '~');
const escaped = (name) => name.replaceAll('~', '~0').replaceAll('/', '~1');

function judge(place, values) {
    const validate = ajv.compile({ $ref: `document#${encodeURI(place)}` });
    for (const value of values) {
        judged += 1;
        if (!validate(value)) {
            console.log(`${place}: ${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`);
        }
    }
}

// A media type or a parameter has a schema, and examples beside it.
function visit(value, place) {
    if (value === null || typeof value !== 'object') return;
    const examples = Object.values(value.examples ?? {}).map((example) => resolved(example).value);
    const all = 'example' in value ? [value.example] : examples;
    if (value.schema && typeof value.schema === 'object') judge(`${place}/schema`, all);
    for (const [name, member] of Object.entries(value)) {
        // What is below is data, or a schema, whose own examples are lists.
        if (['schema', 'example', 'examples', 'schemas'].includes(name)) continue;
        visit(member, `${place}/${escaped(name)}`);
    }
}

visit(document, '');
console.error(`${judged} examples`);
