/**
 * The error codes to which downloads react. They repeat codes of the contract. The contract's list includes all
 * texts. An import of the list here would move it from the player's code into a file that the first page loads.
 */
export const DOWNLOAD_CODES = {
  noViewingRights: -11,
  resourceNotActive: -1605,
  notFound: -404,
  tooManyDownloads: -513,
  tooManyDownloadDevices: -514,
} as const
