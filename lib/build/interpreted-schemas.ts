import * as z from 'zod';

/**
 * Injected at the start of every bundle: zod reads this setting when a schema is created. Compiled schemas pay off
 * after thousands of values; a cold start validates few.
 */
z.config({ jitless: true });
