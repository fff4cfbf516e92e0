import * as z from 'zod';
import { auditLog } from '../../../adapters/dynamodb/audit-log.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { listAuditContract } from '../../../core/api/audit.ts';
import { listAudit } from '../list-audit.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(listAuditContract, listAudit(auditLog(dynamo, TABLE_NAME)));
