import { environment } from '../../../api/environment.ts'

/** The message of a tab that signs out. Any other message identifies the viewer of its tab. */
export const LEAVING = 'leaving'

/** Opens the channel between the tabs of a storefront. Each storefront has viewers of its own. */
export function viewerTabs(): BroadcastChannel {
  return new BroadcastChannel(`viewer ${environment().identityKey}`)
}
