import type { MediaJobs } from '@media-jobs/client';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Budget } from '../budget.ts';

/** What tools work with. */
export type ToolContext = { server: McpServer; mediaJobs: MediaJobs; budget: Budget };
