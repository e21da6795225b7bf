import { type Command, CommandError } from '../../../control/commands.ts'
import { claimStores, emptyQuarantine, explainOwner, storeStates } from './stores.service.ts'

/** `store claim`. */
export const claimStoreCommand: Command = {
  name: 'store claim',
  summary: 'Claim the media and pictures in DATA_DIR for this database. Unknown entries go into quarantine.',
  arguments: [],
  run: async (context, _input, { report }) => {
    await claimStores(context)
    report({ text: 'The media and the pictures belong to this database.' })
  },
}

/** `store empty`. */
export const emptyStoreCommand: Command = {
  name: 'store empty',
  summary: 'Empty the quarantine: delete media and pictures that the database does not know.',
  arguments: [],
  run: async (context, _input, { report }) => {
    for (const { store, owner } of await storeStates(context))
      if (owner !== 'ours') throw new CommandError(`The store ${store.name} ${explainOwner(owner)}.`)
    report({ text: `Deleted ${await emptyQuarantine(context)} entries.` })
  },
}
