import * as z from 'zod';

/**
 * Goes to the start of every bundle, since a schema decides when it is made: zod would compile each on its first use,
 * which pays for thousands of values, not for the few of a cold start.
 */
z.config({ jitless: true });
