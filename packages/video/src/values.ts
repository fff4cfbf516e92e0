export { canonicalJson } from './canonical-json.ts';
export { integerBetween } from './integer-between.ts';
