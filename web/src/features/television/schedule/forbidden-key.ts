import type { Channel, Programme } from '@ondine/contract/entities'

/**
 * Returns the key of the text about actions that the guide forbids for a programme: going back, recording, or
 * both. Undefined if the guide forbids no action that the channel allows.
 */
export function forbiddenKey(
  { timeshiftEnabled, npvrEnabled }: Pick<Programme, 'timeshiftEnabled' | 'npvrEnabled'>,
  { item }: Pick<Channel, 'item'>,
): 'guide.liveOnly' | 'guide.notRecorded' | 'guide.liveOnlyNotRecorded' | undefined {
  const isLiveOnly = item.allowTimeshift && !timeshiftEnabled
  const isNotRecorded = item.allowRecording && !npvrEnabled
  if (isLiveOnly) return isNotRecorded ? 'guide.liveOnlyNotRecorded' : 'guide.liveOnly'
  return isNotRecorded ? 'guide.notRecorded' : undefined
}
