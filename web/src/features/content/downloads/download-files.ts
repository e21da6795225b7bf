/**
 * The storage for the files of downloads on this device: `browser-files.ts`, or the native app's storage. Files
 * are named by the addresses of `offline-address.ts`.
 */
export interface DownloadFiles {
  /** Waits until stored files can be played. */
  ready(): Promise<void>
  /**
   * Waits until stored files can be played, for a limited time.
   *
   * @throws NoWorkerError when the time is over
   */
  requireReady(): Promise<void>
  /** Asks the device not to remove files by itself when it is nearly full. */
  protect(): Promise<void>
  /** Returns the free space for downloads, in bytes; undefined if the device does not report it. */
  bytesLeft(): Promise<number | undefined>
  /** Returns false if this device certainly has no stored files. Does not create the storage. */
  areThere(): Promise<boolean>
  /**
   * Stores a file. A stored file is always complete, even if the device loses power during this call.
   *
   * @throws NoRoomError, or a DOMException `QuotaExceededError`, if the device is full; TypeError if the
   * connection is lost
   */
  put(address: string, content: Response): Promise<void>
  /** Returns the addresses of all stored files. */
  list(): Promise<string[]>
  /** Deletes a file if it is stored. */
  delete(address: string): Promise<void>
  /** Returns an address at which a page can show a stored picture; undefined if the picture is not stored. */
  pictureAt(address: string): Promise<string | undefined>
  /**
   * Returns the content of a file; undefined if the file is not stored. If a storage does not have this method now,
   * the player fetches files from their addresses.
   */
  readonly read?: ((address: string) => Promise<ArrayBuffer | undefined>) | undefined
}
