import { environment } from '../../../api/environment.ts'
import { openTabChannel } from '../platform/tab-channel.ts'

/** The message of a tab that signs out. All other messages identify the viewer of the tab. */
export const LEAVING = 'leaving'

/** Opens the channel between the tabs of a storefront. Tabs of another storefront do not receive its messages. */
export function viewerTabs(): BroadcastChannel | undefined {
  return openTabChannel(`viewer ${environment().identityKey}`)
}
