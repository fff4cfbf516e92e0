import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The directory of the DejaVu fonts from npm. The container image has them from Debian. */
export function findFonts(): string {
  return join(dirname(fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/package.json'))), 'ttf');
}
