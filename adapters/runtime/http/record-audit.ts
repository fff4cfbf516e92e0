import * as z from 'zod';
import { type AuditLog, auditEntry } from '../../../core/access/audit.ts';
import type { Principal } from '../../../core/access/authentication.ts';
import type { Contract } from '../../../core/api/contract.ts';
import { auditLog } from '../../dynamodb/audit-log.ts';
import { dynamo } from '../clients/dynamo.ts';
import { readEnv } from '../env.ts';
import { logger } from '../logger.ts';
import { newId } from '../random.ts';

/** Writes the entry of an answered request. A failure is logged: the change itself is made, and no answer takes it back. */
export type RecordAudit = (request: { principal: Principal; params?: unknown; answer?: unknown }) => Promise<void>;

/** The audit of a route; undefined if its requests have no entries. */
export function auditFromEnvironment(contract: Contract): RecordAudit | undefined {
  if (contract.audit === undefined) return undefined;
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  return recordAudit(contract, auditLog(dynamo, TABLE_NAME));
}

function recordAudit(contract: Contract, log: Pick<AuditLog, 'append'>): RecordAudit {
  return async (request) => {
    const entry = auditEntry(contract, request, new Date());
    await log
      .append(request.principal.ownerId, { id: newId(), ...entry })
      .catch((error) => logger.error('An entry of the audit log could not be written', { ...entry, error }));
  };
}
