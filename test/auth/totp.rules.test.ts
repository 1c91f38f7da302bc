import {
  base32,
  codeOf,
  enrolmentUri,
  hashOfRecoveryCode,
  recoveryCode,
  stepAt,
  stepOf,
} from "../../src/slices/auth/totp.rules.js";

const SECRET = Buffer.from("12345678901234567890");

describe("one-time codes", () => {
  // RFC 6238, appendix B: the last six digits of the codes for SHA-1.
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("after %d seconds are %p", (seconds, code) => {
    expect(codeOf(SECRET, stepAt(new Date(seconds * 1000)))).toBe(code);
  });

  it("are good in their period of 30 seconds, the one before and the one after", () => {
    const at = new Date(1_111_111_110_000);
    const step = stepAt(at);
    const found = [-2, -1, 0, 1, 2].map((drift) => stepOf(SECRET, codeOf(SECRET, step + drift), at));

    expect(found).toEqual([null, step - 1, step, step + 1, null]);
    expect(stepOf(SECRET, "", at)).toBeNull();
    expect(stepOf(SECRET, `${codeOf(SECRET, step)}0`, at)).toBeNull();
  });

  it("come from a secret that apps read", () => {
    const owner = { email: "eva+1@example.com", company: "Eva: Tea & Co" };

    expect(enrolmentUri(SECRET, owner)).toBe(
      "otpauth://totp/Eva%20%20Tea%20%26%20Co:eva%2B1%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" +
        "&issuer=Eva%20%20Tea%20%26%20Co&algorithm=SHA1&digits=6&period=30",
    );
  });
});

// RFC 4648, section 10, without the padding.
it.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("%p is written %p in base32", (text, written) => {
  expect(base32(Buffer.from(text))).toBe(written);
});

it("a recovery code is the same in capitals, with spaces and without dashes", () => {
  const code = recoveryCode(Buffer.from("0123456789"));

  expect(code).toBe("gayt-emzu-gu3d-oobz");
  expect(hashOfRecoveryCode("GAYT EMZUGU3D-OOBZ ")).toBe(hashOfRecoveryCode(code));
  expect(hashOfRecoveryCode("gayt-emzu-gu3d-oobs")).not.toBe(hashOfRecoveryCode(code));
});
