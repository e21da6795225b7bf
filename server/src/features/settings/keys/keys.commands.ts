import { type Command, CommandError } from '../../../control/commands.ts'
import { SETTLING_MS } from './keys.service.ts'
import { listKeys, revokeKey, rotateKeys } from './rotate-keys.ts'

export const listKeysCommand: Command = {
  name: 'keys list',
  summary: 'Show the keys that sign tokens, the newest first.',
  arguments: [],
  run: async ({ db }, _input, { report }) => {
    for (const { id, createdAt } of await listKeys(db))
      report({ text: `${id}: since ${new Date(createdAt).toISOString()}` })
  },
}

/** `keys rotate`: creates a new key. All sign-ins stay valid. */
export const rotateKeysCommand: Command = {
  name: 'keys rotate',
  summary: 'Create a new key that signs tokens. Tokens signed before stay valid.',
  arguments: [],
  run: async ({ db, clock }, _input, { report }) => {
    const id = await rotateKeys(db, clock.now())
    if (id === undefined) throw new CommandError('Another process has just created a key.')
    report({ text: `Created the key ${id}. It signs in ${SETTLING_MS / 1000} seconds.` })
  },
}

/** `keys revoke`: removes a key that may be compromised. */
export const revokeKeyCommand: Command = {
  name: 'keys revoke',
  summary: 'Remove a key at once: everybody with a token that it signed must sign in again.',
  arguments: [{ name: 'key', summary: 'its id, as `keys list` shows it' }],
  run: async ({ db }, { arguments: [id = ''] }, { report }) => {
    const outcome = await revokeKey(db, id)
    if (outcome === 'unknown') throw new CommandError(`There is no key ${id}.`)
    if (outcome === 'last') throw new CommandError('There is no other key to sign with. Rotate first.')
    report({ text: `Revoked the key ${id}.` })
  },
}
