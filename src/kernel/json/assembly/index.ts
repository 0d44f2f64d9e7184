export { FIRST, KEY, MAX_KEY_LENGTH } from "./layout";
export { begin, countRecords, document, lines, nextLine } from "./fields";
export { addFields, addInside, addKey, levelOf, rowBytesOf, setList, setSlot } from "./tables";
export { isPlain } from "./text";
