import { useDocumentTitle } from '@mantine/hooks';
import { replaceUnsafeCharacters } from '../../formatting/unsafe-characters.ts';

/** Sets the title of the window to that of a page, which may contain untrusted text. */
export function useWindowTitle(title: string): void {
  useDocumentTitle(`${replaceUnsafeCharacters(title)} · Media jobs`);
}
