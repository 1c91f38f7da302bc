/** Preloaded into the service: tells the size of the heap after a full collection, whenever it is asked. */
process.on("message", () => {
  globalThis.gc();
  process.send(process.memoryUsage().heapUsed);
});
// The service ends as it would without the channel.
process.channel.unref();
