/** Invalid variants of a valid key, as they result from copying. */
export function alteredKeys(key: string): Record<string, string> {
  const middle = key.length / 2;
  return {
    'a key whose last character is another': key.slice(0, -1) + other(key.at(-1)),
    'a key with a character changed inside': `${key.slice(0, middle)}${other(key[middle])}${key.slice(middle + 1)}`,
    'a key that was cut': key.slice(0, -1),
    'a key with a character more': `${key}0`,
    'a key with a space inside': `${key.slice(0, middle)} ${key.slice(middle)}`,
    // HTTP removes plain spaces at the end of a header, so use encoded and no-break spaces.
    'a key with an encoded space at its end': `${key}%20`,
    'a key with a no-break space at its end': `${key}\u00a0`,
  };
}

/** Variants of a key without its prefix. */
export function unprefixedKeys(key: string): Record<string, string> {
  const rest = key.slice('nte_'.length);
  return {
    'a key without its prefix': rest,
    'a key with another prefix': `key_${rest}`,
    'a key with its prefix in capitals': `NTE_${rest}`,
  };
}

function other(character: string | undefined): string {
  return character === '0' ? '1' : '0';
}
