/** The loaders of pages, together in one file. Separate files would each add the name of a file to the first load. */
export { loadChannelDay } from '../features/television/guide/load-channel-day.ts'
export { loadGuide } from '../features/television/guide/load-guide.ts'
export { loadLive } from './load-live.ts'
export * from './load-shop.ts'
