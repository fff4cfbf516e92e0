import * as z from 'zod';

/**
 * Imported first in every bundle: zod reads this setting when a schema is created. Compiled schemas pay off
 * after thousands of values; a cold start validates few.
 */
z.config({ jitless: true });
