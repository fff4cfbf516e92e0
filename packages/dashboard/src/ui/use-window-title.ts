import { useDocumentTitle } from '@mantine/hooks';
import { replaceUnsafeCharacters } from '@media-jobs/cli/formatting';

/** Sets the title of the window to that of a page, which may contain untrusted text. */
export function useWindowTitle(title: string): void {
  useDocumentTitle(`${replaceUnsafeCharacters(title)} · Media jobs`);
}
