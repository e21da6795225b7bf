/** The loaders of pages in one file: separate files would each add a name to the first load. */
export { loadChannelDay } from '../features/television/guide/load-channel-day.ts'
export { loadGuide } from '../features/television/guide/load-guide.ts'
export { loadLive } from './load-live.ts'
export * from './load-shop.ts'
