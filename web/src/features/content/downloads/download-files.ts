/**
 * Where the files of downloads are on this device: `browser-files.ts`, or the files of the native app. Files are named by
 * the addresses of `offline-address.ts`.
 */
export interface DownloadFiles {
  /** Waits until stored files can be played. */
  ready(): Promise<void>
  /**
   * Waits until stored files can be played, but not long.
   *
   * @throws NoWorkerError
   */
  requireReady(): Promise<void>
  /** Asks the device not to remove files by itself when it is nearly full. */
  protect(): Promise<void>
  /** Returns the bytes that are left for downloads; undefined if the device does not report them. */
  bytesLeft(): Promise<number | undefined>
  /** Returns whether anything may be stored. Creates nothing. */
  areThere(): Promise<boolean>
  /**
   * Stores a file. A file that is there is whole, even if the device loses its power meanwhile.
   *
   * @throws NoRoomError, or a DOMException `QuotaExceededError`, if the device is full; TypeError if the connection is lost
   */
  put(address: string, content: Response): Promise<void>
  /** Returns the addresses of all stored files. */
  list(): Promise<string[]>
  /** Deletes a file, if it is there. */
  delete(address: string): Promise<void>
  /** Returns the address by which a page can show a stored picture; undefined if it is not stored. */
  pictureAt(address: string): Promise<string | undefined>
  /**
   * Returns the content of a file; undefined if it is not stored. Without this method, the player fetches files from their
   * addresses.
   */
  read?: (address: string) => Promise<ArrayBuffer | undefined>
}
