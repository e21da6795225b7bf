/** The loaders of pages, in one file: each by itself would cost the first load another name. */
export { loadChannelDay } from '../features/guide/load-channel-day.ts'
export { loadGuide } from '../features/guide/load-guide.ts'
export { loadLive } from './load-live.ts'
export * from './load-shop.ts'
