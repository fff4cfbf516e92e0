import { visibleText } from '../format/visible-text.ts';

/** Words that someone else wrote: a name, an error, an address. They are text, in a direction of their own. */
export function Quoted({ children }: { children: string }) {
  return <bdi>{visibleText(children)}</bdi>;
}
