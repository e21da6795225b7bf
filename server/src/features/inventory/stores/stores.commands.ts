import { type Command, CommandError } from '../../../control/commands.ts'
import { claimStores, emptyQuarantine, storeStates } from './stores.service.ts'

export const claimStoreCommand: Command = {
  name: 'store claim',
  summary: 'Claim the stored media and pictures for this database. Unknown entries go into quarantine.',
  arguments: [],
  run: async (context, _input, { report }) => {
    await claimStores(context)
    report({ text: 'The media and the pictures belong to this database.' })
  },
}

export const emptyStoreCommand: Command = {
  name: 'store empty',
  summary: 'Empty the quarantine: delete media and pictures that the database does not know.',
  arguments: [],
  run: async (context, _input, { report }) => {
    for (const { store, fault } of await storeStates(context))
      if (fault !== undefined) throw new CommandError(`The store ${store.name}: ${fault}.`)
    report({ text: `Entries deleted: ${await emptyQuarantine(context)}.` })
  },
}
