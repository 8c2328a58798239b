// Files that are damaged, or made to hurt: each gives an error that says what is wrong where.

#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nets/weights/safetensors.h"
#include "nets/weights/weights_file.h"
#include "nlohmann/json.hpp"
#include "tests/nets/weights/random_network.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

std::string LittleEndian(uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xff);
  return bytes;
}

// A file in parts that can be changed one by one.
struct TakenApart {
  std::string header;
  std::string data;

  std::string File() const { return LittleEndian(header.size()) + header + data; }
};

TakenApart TakeApart(const std::string& file) {
  const size_t data_offset = ParseSafetensors(file).value().data_offset;
  return {file.substr(8, data_offset - 8), file.substr(data_offset)};
}

std::string GoodFile(StorageType storage = StorageType::kFloat16) {
  return SerializeNetwork(NetworkOfEverything(SmallestArchitecture()), storage).value();
}

std::string ErrorOf(const std::string& file) {
  const absl::Status status = ParseNetwork(file, "some/net").status();
  return status.ok() ? "no error" : std::string(status.message());
}

// Every error names the file.
void ExpectError(const std::string& file, const std::string& error) {
  EXPECT_THAT(ErrorOf(file), ::testing::StartsWith("some/net: "));
  EXPECT_THAT(ErrorOf(file), HasSubstr(error));
}

TEST(HostileFileTest, PartsPutTogetherAgainAreFine) {
  TakenApart parts = TakeApart(GoodFile());
  EXPECT_EQ(ErrorOf(parts.File()), "no error");
  // What other writers may do: no padding, another order, keys of their own.
  Json header = Json::parse(parts.header);
  header["__metadata__"]["format"] = "pt";
  const Json first = header["stem.weight"];
  header.erase("stem.weight");
  header["stem.weight"] = first;
  parts.header = header.dump() + " ";
  EXPECT_EQ(ErrorOf(parts.File()), "no error");
}

TEST(HostileFileTest, EveryTruncationIsAnError) {
  const std::string file = GoodFile();
  for (size_t size = 0; size < file.size(); size += size < 300 ? 1 : 97) {
    ASSERT_NE(ErrorOf(file.substr(0, size)), "no error") << size;
  }
  ExpectError(file.substr(0, 7), "7 bytes, too few");
  ExpectError(file.substr(0, 8), "only 0 follow: the file is truncated");
  ExpectError(file.substr(0, file.size() - 1), "tensor 'value.plies_left.bias': data ends at byte");
}

TEST(HostileFileTest, BytesTooManyAreAnError) {
  ExpectError(GoodFile() + "x", "1 bytes too many");
  ExpectError(GoodFile() + GoodFile(), "bytes too many");
}

TEST(HostileFileTest, HeaderLengths) {
  const std::string file = GoodFile();
  for (const uint64_t length :
       {uint64_t{1} << 63, ~uint64_t{0}, ~uint64_t{0} - 7, uint64_t{1} << 32, uint64_t{0x100001}}) {
    ExpectError(LittleEndian(length) + file.substr(8),
                std::to_string(length) + " bytes, expected at most 1048576");
  }
  ExpectError(LittleEndian(0) + file.substr(8), "header begins with '', expected '{'");
  ExpectError(LittleEndian(1) + file.substr(8), "header is not JSON");
  ExpectError(LittleEndian(1 << 20) + file.substr(8), "truncated");
}

TEST(HostileFileTest, HeadersThatAreNotWhatTheFormatSays) {
  const struct {
    std::string header;
    const char* error;
  } kCases[] = {
      {" {}", "header begins with ' '"},
      {"\xef\xbb\xbf{}", "header begins with"},
      {"[]", "header begins with '['"},
      {"{", "header is not JSON"},
      {"{}{}", "header is not JSON"},
      {"{} //", "header is not JSON"},
      {"{\"a\":{\"dtype\":\"F\xff\"}}", "header is not JSON"},
      {R"({"a":1})", "'a': expected an object, found 1"},
      {R"({"a":null})", "found null"},
      {R"({"a":true})", "found true"},
      {R"({"a":[]})", "found a list"},
      {R"({"a":"b"})", "found 'b'"},
      {R"({"__metadata__":[]})", "'__metadata__': expected an object, found a list"},
      {R"({"__metadata__":{"k":1}})", "metadata 'k': expected text, found 1"},
      {R"({"__metadata__":{"k":{}}})", "metadata 'k': expected text, found an object"},
      {R"({"__metadata__":{"k":"1","k":"2"}})", "metadata: key 'k' is there twice"},
      {R"({"__metadata__":{},"__metadata__":{}})", "header: key '__metadata__' is there twice"},
      {R"({"a":{}})", "tensor 'a': dtype is missing"},
      {R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", "tensor 'a': shape is missing"},
      {R"({"a":{"dtype":"F32","shape":[1]}})", "tensor 'a': data_offsets is missing"},
      {R"({"a":{"size":1}})", "tensor 'a': unknown key 'size'"},
      {R"({"a":{"dtype":"F32","dtype":"F32"}})", "tensor 'a': key 'dtype' is there twice"},
      {R"({"a":{"dtype":"F64"}})", "tensor 'a': dtype: expected 'F32' or 'F16', found 'F64'"},
      {R"({"a":{"dtype":32}})", "tensor 'a': dtype: expected 'F32' or 'F16', found 32"},
      {R"({"a":{"shape":4}})", "tensor 'a': shape: expected a list of at most 8 whole numbers"},
      {R"({"a":{"shape":[-1]}})", "found -1"},
      {R"({"a":{"shape":[1.5]}})", "found '1.5'"},
      {R"({"a":{"shape":[18446744073709551616]}})", "found '18446744073709551616'"},
      {R"({"a":{"shape":[1e999]}})", "header is not JSON"},
      {R"({"a":{"shape":["1"]}})", "found '1'"},
      {R"({"a":{"shape":[[1]]}})", "found a list"},
      {R"({"a":{"shape":[1,1,1,1,1,1,1,1,1]}})", "at most 8"},
      {R"({"a":{"data_offsets":[0]}})", "expected a list of two whole numbers, found a list of 1"},
      {R"({"a":{"data_offsets":[0,1,2]}})", "expected a list of two whole numbers, found 2"},
      {R"({"a":{"data_offsets":[0,-1]}})", "found -1"},
      {R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
       R"("a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})",
       "header: key 'a' is there twice"},
      {"{\"" + std::string(100000, 'a') + "\":1}", "aaa...'"},
      {R"({"a\u0000\n":1})", R"('a\x00\n')"},
  };
  for (const auto& test : kCases) {
    ExpectError(TakenApart{test.header, "1234"}.File(), test.error);
  }
}

TEST(HostileFileTest, NestingHasNoDepth) {
  for (const std::string& one : {std::string("["), std::string("{\"a\":"),
                                 std::string("{\"a\":{\"shape\":["), std::string("\"")}) {
    std::string header = "{\"a\":";
    while (header.size() + one.size() < kMaxSafetensorsHeaderBytes) header += one;
    EXPECT_NE(ErrorOf(TakenApart{header, ""}.File()), "no error");
  }
}

TEST(HostileFileTest, OffsetsThatDoNotFit) {
  const auto tensor = [](const std::string& shape, const std::string& offsets) {
    return R"({"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
  };
  const struct {
    std::string a;
    std::string b;
    const char* error;
  } kCases[] = {
      {tensor("[1]", "[0,4]"), tensor("[1]", "[4,8]"), "metadata"},  // fits: the next check speaks
      {tensor("[1]", "[0,4]"), tensor("[1]", "[0,4]"), "it overlaps another"},
      {tensor("[2]", "[0,8]"), tensor("[1]", "[4,8]"), "tensor 'b': data begins at byte 4"},
      {tensor("[1]", "[0,4]"), tensor("[1]", "[5,9]"), "tensor 'b': data begins at byte 5"},
      {tensor("[1]", "[0,4]"), tensor("[2]", "[4,12]"), "tensor 'b': data ends at byte 12"},
      {tensor("[1]", "[4,8]"), tensor("[1]", "[8,12]"), "a gap before it"},
      {tensor("[1]", "[4,0]"), tensor("[2]", "[0,8]"), "tensor 'a': data_offsets [4,0] do not fit"},
      {tensor("[2]", "[0,4]"), tensor("[1]", "[4,8]"), "tensor 'a': data_offsets [0,4] do not fit"},
      {tensor("[1]", "[0,8]"), tensor("[1]", "[4,8]"), "tensor 'a': data_offsets [0,8] do not fit"},
      {tensor("[]", "[0,8]"), tensor("[1]", "[4,8]"), "tensor 'a': data_offsets [0,8] do not fit"},
      {tensor("[0]", "[0,0]"), tensor("[2]", "[0,8]"), "tensor 'a': data_offsets [0,0] do not fit"},
      // Products that are 4 or 8 modulo 2^64.
      {tensor("[4611686018427387905]", "[0,4]"), tensor("[1]", "[4,8]"), "tensor 'a'"},
      {tensor("[9223372036854775809,2]", "[0,8]"), tensor("[1]", "[0,8]"), "tensor 'a'"},
      {tensor("[4294967296,4294967296]", "[0,0]"), tensor("[2]", "[0,8]"), "tensor 'a'"},
      {tensor("[1]", "[18446744073709551612,0]"), tensor("[2]", "[0,8]"), "tensor 'a'"},
      {tensor("[4611686018427387903]", "[0,18446744073709551612]"), tensor("[1]", "[0,4]"),
       "it overlaps another"},
  };
  for (const auto& test : kCases) {
    const std::string header = R"({"a":)" + test.a + R"(,"b":)" + test.b + "}";
    ExpectError(TakenApart{header, "12345678"}.File(), test.error);
  }
}

// Changes of the header that leave the file one of the format.
TEST(HostileFileTest, TensorsThatAreNotTheArchitectures) {
  using Spoil = void (*)(Json&);
  const struct {
    const char* error;
    Spoil spoil;
  } kCases[] = {
      {"tensor 'stem.weight' is missing, expected shape [16,48,3,3]",
       [](Json& h) {
         h["steam.weight"] = h["stem.weight"];
         h.erase("stem.weight");
       }},
      {"tensor 'stem.weight': shape is [16,3,48,3], expected [16,48,3,3]",
       [](Json& h) {
         h["stem.weight"]["shape"] = {16, 3, 48, 3};
       }},
      {"tensor 'stem.weight': shape is [6912], expected [16,48,3,3]",
       [](Json& h) { h["stem.weight"]["shape"] = {6912}; }},
      {"tensor 'blocks.1.global.weight': not part of this architecture",
       [](Json& h) {
         Json architecture = Json::parse(h["__metadata__"]["architecture"].get<std::string>());
         architecture["global_blocks"] = Json::array();
         h["__metadata__"]["architecture"] = architecture.dump();
       }},
      {"tensor 'calibration.blocks.1.inner' is missing",
       [](Json& h) {
         h["more"] = h["calibration.blocks.1.inner"];
         h.erase("calibration.blocks.1.inner");
       }},
      {"tensor 'norm.value.mean' is missing",
       [](Json& h) {
         h["norm.value.mead"] = h["norm.value.mean"];
         h.erase("norm.value.mean");
       }},
      {"tensor 'calibration.policy': dtype is F16, expected F32",
       [](Json& h) {
         h["calibration.policy"]["dtype"] = "F16";
         h["calibration.policy"]["shape"] = {32};
       }},
      {"tensor 'value.hidden.weight': dtype is F32, expected F16",
       [](Json& h) {
         h["value.hidden.weight"]["dtype"] = "F32";
         h["value.hidden.weight"]["shape"] = {1, 45};
       }},
  };
  for (const auto& test : kCases) {
    TakenApart parts = TakeApart(GoodFile());
    Json header = Json::parse(parts.header);
    test.spoil(header);
    parts.header = header.dump();
    ExpectError(parts.File(), test.error);
  }
}

TEST(HostileFileTest, MetadataThatIsMissingOrWrong) {
  const Json good = Json::parse(TakeApart(GoodFile()).header)["__metadata__"];
  const auto changed = [&good](const char* key, const Json& value) {
    Json architecture = Json::parse(good["architecture"].get<std::string>());
    architecture[key] = value;
    return architecture.dump();
  };
  const std::string deep(4000, '[');
  const struct {
    const char* key;
    std::string value;
    const char* error;
  } kCases[] = {
      {"chuhe.format", "2", "metadata 'chuhe.format': expected '1', found '2'"},
      {"feature_set", "7", "made for feature set 7, this program has feature set 1"},
      {"feature_set", "99999999999999999999", "metadata 'feature_set': expected a whole number"},
      {"feature_set", " 1", "metadata 'feature_set': expected a whole number, found ' 1'"},
      {"rule_set", "chess", "metadata 'rule_set': "},
      {"training_steps", "-1", "metadata 'training_steps': expected a whole number, found '-1'"},
      {"training_steps", "", "metadata 'training_steps': expected a whole number, found ''"},
      {"parent", "abc", "metadata 'parent': expected 64 hex digits or nothing, found 'abc'"},
      {"architecture", "", "metadata 'architecture': expected a JSON object"},
      {"architecture", "[]", "metadata 'architecture': expected a JSON object, found '[]'"},
      {"architecture", "{}", "metadata 'architecture': blocks is missing"},
      {"architecture", deep, "metadata 'architecture': expected a JSON object"},
      {"architecture", changed("blocks", 0), "metadata 'architecture': blocks is 0"},
      {"architecture", changed("blocks", 1), "global_blocks has 1, expected blocks from 0 to 0"},
      {"architecture", changed("blocks", 3), "tensor 'calibration.blocks.2.inner' is missing"},
      {"architecture", changed("blocks", 2147483647), "blocks is 2147483647"},
      {"architecture", changed("blocks", 4294967298), "blocks: expected a whole number"},
      {"architecture", changed("blocks", "2"),
       "blocks: expected a whole number, found '\\\"2\\\"'"},
      {"architecture", changed("blocks", Json::array({2})), "found 'array'"},
      {"architecture", changed("channels", 32), "shape is [16], expected [32]"},
      {"architecture", changed("channels", 1 << 30), "channels is 1073741824"},
      {"architecture", changed("global_blocks", 1), "global_blocks: expected a list"},
      {"architecture", changed("global_blocks", Json::array({-1})), "found '-1'"},
      {"architecture", changed("global_blocks", Json::array({1, 0})),
       "global_blocks has 0 after 1"},
      {"architecture", changed("attention", 1), "key 'attention' is unknown"},
      {"architecture", R"({"blocks":1,"blocks":2})", "key 'blocks' is there twice"},
      {"architecture", std::string(5000, ' '), "has 5000 bytes, at most 4096 are allowed"},
  };
  for (const auto& test : kCases) {
    TakenApart parts = TakeApart(GoodFile());
    Json header = Json::parse(parts.header);
    header["__metadata__"][test.key] = test.value;
    parts.header = header.dump();
    ExpectError(parts.File(), test.error);
  }
  for (const auto& [key, value] : good.items()) {
    TakenApart parts = TakeApart(GoodFile());
    Json header = Json::parse(parts.header);
    header["__metadata__"].erase(key);
    parts.header = header.dump();
    if (key == "parent" || key == "note") {
      EXPECT_EQ(ErrorOf(parts.File()), "no error");
    } else {
      ExpectError(parts.File(), "metadata '" + key + "': is missing");
    }
  }
}

TEST(HostileFileTest, NumbersThatAreNone) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float number : {nan, infinity, -infinity}) {
    TakenApart parts = TakeApart(GoodFile(StorageType::kFloat32));
    const Json header = Json::parse(parts.header);
    for (const char* name : {"stem.weight", "value.plies_left.bias", "norm.stem.mean"}) {
      TakenApart spoilt = parts;
      const size_t end = header[name]["data_offsets"][1].get<size_t>();
      std::memcpy(&spoilt.data[end - sizeof number], &number, sizeof number);
      ExpectError(spoilt.File(), std::string("tensor '") + name + "': number ");
    }
  }
  // All of one byte: not a number in 16 bits, nor in 32.
  for (const StorageType storage : {StorageType::kFloat32, StorageType::kFloat16}) {
    TakenApart parts = TakeApart(GoodFile(storage));
    parts.data.assign(parts.data.size(), '\xff');
    ExpectError(parts.File(), "tensor 'calibration.stem': number 0 is ");
  }
  // Magnitudes below 0.
  TakenApart parts = TakeApart(GoodFile());
  parts.data[3] = static_cast<char>(parts.data[3] | 0x80);
  ExpectError(parts.File(), "tensor 'calibration.stem': number 0 is -");
}

TEST(HostileFileTest, RandomDamageIsReadOrRefused) {
  const std::string good = GoodFile();
  const size_t header_end = ParseSafetensors(good).value().data_offset;
  Random random(1);
  int refused = 0;
  for (int i = 0; i < 1000; ++i) {
    std::string file = good;
    for (uint64_t changes = 1 + random.Below(3); changes > 0; --changes) {
      file[random.Below(header_end)] = static_cast<char>(random.Below(256));
    }
    refused += ErrorOf(file) == "no error" ? 0 : 1;
  }
  EXPECT_GT(refused, 950);  // changes of the note or the number of steps are none
}

}  // namespace
}  // namespace chuhe
