import { type Command, CommandError } from '../../control/commands.ts'
import { requestSchedules } from './channel-jobs.ts'
import { ChannelFileError, importChannels } from './import-channels.ts'

/** `channels import <file>`: takes the channels of a `channels.json`. */
export const importChannelsCommand: Command = {
  name: 'channels import',
  summary: 'Take channels that play titles of the library; run it again to take what has changed.',
  arguments: [
    { name: 'file', summary: 'a channels.json; the demonstration library has an example', isPath: true },
  ],
  run: async (context, { arguments: [file = ''] }, { report }) => {
    try {
      const { channelIds, faults } = await importChannels(context, file)
      for (const { channel, reason } of faults) report({ text: `${channel}: ${reason}` })
      await requestSchedules(context)
      report({
        text: `${channelIds.length} channels taken; they go on the air as soon as their titles are ready.`,
      })
    } catch (error) {
      if (error instanceof ChannelFileError) throw new CommandError(error.message)
      throw error
    }
  },
}
