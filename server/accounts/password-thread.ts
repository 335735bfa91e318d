import { argon2Sync } from 'node:crypto';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { DerivationReply, DerivationRequest } from './key-derivation.ts';

// The thread that hashes passwords. On Linux 0 stands for this thread; elsewhere it would be the whole process.
if (process.platform === 'linux') {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
  setPriority(0, Math.min(PRIORITY_LOW, getPriority(0) + PRIORITY_BELOW_NORMAL));
}

parentPort?.on('message', (request: DerivationRequest) => parentPort?.postMessage(answer(request)));

function answer(request: DerivationRequest): DerivationReply {
  try {
    return { key: argon2Sync('argon2id', request) };
  } catch (error) {
    return { error: String(error) };
  }
}
