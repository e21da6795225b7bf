/** Hook that runs after an import has changed the guide of a channel. It may run again for the same change. */
export type OnGuideChanged = (channelId: number) => Promise<void>
