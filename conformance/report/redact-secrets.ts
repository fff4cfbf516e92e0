const secrets: [RegExp, string][] = [
  [/nte_[0-9A-Za-z]{6,}/g, 'nte_…'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '(a token)'],
  [/(X-Amz-(?:Signature|Credential|Security-Token)=)[^&"\s]+/gi, '$1…'],
];

/** A text that may quote an answer, without keys, tokens and signatures. */
export function redactSecrets(text: string): string {
  return secrets.reduce((shorter, [pattern, instead]) => shorter.replaceAll(pattern, instead), text);
}
