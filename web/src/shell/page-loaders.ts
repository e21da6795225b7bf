/** The loaders of pages, in a single file. With several files, the first load would contain more file names. */
export { loadAroundNow } from '../features/television/channels/load-around-now.ts'
export { loadChannelDay } from '../features/television/guide/load-channel-day.ts'
export { loadGuide } from '../features/television/guide/load-guide.ts'
export { loadRecordingList, loadRecordings } from '../features/television/recordings/load-recordings.ts'
export { loadBegun, loadFavourites } from './load-favourites.ts'
export { loadLive } from './load-live.ts'
export * from './load-shop.ts'
