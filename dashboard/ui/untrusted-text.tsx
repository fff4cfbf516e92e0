import { sanitizeText } from '../format/sanitize-text.ts';

/** Words that someone else wrote: a name, an error, an address. They are text, in a direction of their own. */
export function UntrustedText({ children }: { children: string }) {
  return <bdi>{sanitizeText(children)}</bdi>;
}
