import { replaceUnsafeCharacters } from '@media-jobs/cli/formatting';

/** Text from outside, such as a file name or an error: sanitized, and isolated from the surrounding text direction. */
export function UntrustedText({ children }: { children: string }) {
  return <bdi>{replaceUnsafeCharacters(children)}</bdi>;
}
