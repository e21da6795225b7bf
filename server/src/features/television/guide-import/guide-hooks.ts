/** Called after an import has changed the guide of a channel. Can be called more than once for the same change. */
export type OnGuideChanged = (channelId: number) => Promise<void>
