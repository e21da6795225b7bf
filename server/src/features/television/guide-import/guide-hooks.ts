/** Called after an import has changed the guide of a channel. May be called again for the same change. */
export type OnGuideChanged = (channelId: number) => Promise<void>
