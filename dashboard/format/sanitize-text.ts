/** Control characters but tab and line ends, and the marks that turn the direction of what follows them. */
const deceiving = /[\u202a-\u202e\u2066-\u2069]|(?![\t\n\r])\p{Cc}/gu;

/** A text that someone else wrote, with a sign in place of each character that would act instead of being read. */
export function sanitizeText(text: string): string {
  return text.replaceAll(deceiving, '\ufffd');
}
