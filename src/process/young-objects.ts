import { setFlagsFromString } from "node:v8";

/**
 * V8 learns which places in the code make objects that outlive a short collection, and has them make all further ones in
 * the old heap. Under load most requests outlive one, though none lasts: what they leave there is garbage until the next
 * full collection, and a list takes a third more processor time. It learns so in some processes and not in others, so the service
 * switches it off before anything else is loaded.
 */
setFlagsFromString("--no-allocation-site-pretenuring");
