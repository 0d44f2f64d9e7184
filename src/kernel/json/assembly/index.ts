export { FIRST, KEY, MAX_KEY_LENGTH } from "./layout";
export { line, record } from "./fields";
export { lineEnd } from "./find";
export { addFields, addInside, addKey, levelOf, rowOf, setList, setSlot } from "./tables";
export { isPlain } from "./text";
export { begin, countBreaks, space, value } from "./value";
